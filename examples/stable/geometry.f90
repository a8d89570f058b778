! options: --range a=0.001:1000 --range b=0.001:1000 --range c=0.001:1000
! options: --size x=5 --range x=1000:1001

! W. Kahan: Miscalculating Area and Angles of a Needle-like Triangle (2014): with a >= b >= c, and in these brackets, the
! area of a triangle is good to a few ulps, needles too. What is no triangle has no area; a - b is exact, or far above c.
real(8) function triangle_area(a, b, c)
  implicit none
  real(8), intent(in) :: a, b, c
  real(8) :: p, q, r
  p = max(a, b, c)
  r = min(a, b, c)
  q = max(min(a, b), min(max(a, b), c))
  if (r - (p - q) < 0d0) then
    triangle_area = 0d0
  else
    triangle_area = sqrt((p + (q + r)) * (r - (p - q)) * (r + (p - q)) * (p + (q - r))) / 4d0
  end if
end function triangle_area

! B. Welford: Note on a Method for Calculating Corrected Sums of Squares and Products (1962); T. Chan, G. Golub,
! R. LeVeque (1983): its error is a small multiple of the problem's condition number, which is large for values that are
! close together and far from 0.
real(8) function welford_variance(x)
  implicit none
  real(8), intent(in) :: x(5)
  real(8) :: mean, squares, delta
  integer :: i
  mean = 0d0
  squares = 0d0
  do i = 1, 5
    delta = x(i) - mean
    mean = mean + delta / i
    squares = squares + delta * (x(i) - mean)
  end do
  welford_variance = squares / 4d0
end function welford_variance
