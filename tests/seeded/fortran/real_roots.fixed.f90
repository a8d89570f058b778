! The products of floats are exact in double precision.
! options: --range a=1:2 --range b=1:4 --range c=1:2
real(4) function real_roots(a, b, c)
  implicit none
  real(4), intent(in) :: a, b, c
  real(8) :: square, product
  square = real(b, 8) * real(b, 8)
  product = 4d0 * real(a, 8) * real(c, 8)
  if (square > product) then
    real_roots = 2.0
  else
    real_roots = 1.0
  end if
end function real_roots
