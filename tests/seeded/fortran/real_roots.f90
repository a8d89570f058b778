! How many real roots a quadratic has, decided in single precision.
! options: --range a=1:2 --range b=1:4 --range c=1:2
real(4) function real_roots(a, b, c)
  implicit none
  real(4), intent(in) :: a, b, c
  real(4) :: square, product
  square = b * b
  product = 4.0 * a * c
  if (square > product) then ! FAULT: branch-flip
    real_roots = 2.0
  else
    real_roots = 1.0
  end if
end function real_roots
