! The roots of x**2 - 2px + q: the smaller one is a difference of nearly equal numbers.
! options: --range p=1e3:1e9 --range q=1:2
subroutine two_roots(p, q, larger, smaller)
  implicit none
  real(8), intent(in) :: p, q
  real(8), intent(out) :: larger, smaller
  real(8) :: root
  root = sqrt(p * p - q)
  larger = p + root
  smaller = p - root ! FAULT: cancellation
end subroutine two_roots
