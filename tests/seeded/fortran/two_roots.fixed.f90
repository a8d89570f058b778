! The product of the roots is q.
! options: --range p=1e3:1e9 --range q=1:2
subroutine two_roots(p, q, larger, smaller)
  implicit none
  real(8), intent(in) :: p, q
  real(8), intent(out) :: larger, smaller
  real(8) :: root
  root = sqrt(p * p - q)
  larger = p + root
  smaller = q / larger
end subroutine two_roots
