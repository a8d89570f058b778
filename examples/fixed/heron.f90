! heron.f90 without its bugs: numbers are scaled by a power of two, so that nothing overflows or vanishes on the way, and
! no rounded sums are subtracted.

! W. Kahan's formula, for sides in order; the area does not depend on their signs.
real(8) function heron(a, b, c)
  implicit none
  real(8), intent(in) :: a, b, c
  real(8) :: x, y, z, t
  integer :: e
  e = exponent(max(abs(a), abs(b), abs(c)))
  x = scale(abs(a), -e)
  y = scale(abs(b), -e)
  z = scale(abs(c), -e)
  if (x < y) then
    t = x
    x = y
    y = t
  end if
  if (y < z) then
    t = y
    y = z
    z = t
  end if
  if (x < y) then
    t = x
    x = y
    y = t
  end if
  heron = scale(sqrt((x + (y + z)) * (z - (x - y)) * (z + (x - y)) * (x + (y - z))) / 4d0, 2 * e)
end function heron

real(8) function versine(x)
  implicit none
  real(8), intent(in) :: x
  real(8) :: half
  half = sin(x / 2d0)
  versine = 2d0 * half * half
end function versine

subroutine mean_and_variance(x, y, z, mean, variance)
  implicit none
  real(8), intent(in) :: x, y, z
  real(8), intent(out) :: mean, variance
  real(8) :: a, b, c
  integer :: e
  e = exponent(max(abs(x), abs(y), abs(z)))
  a = scale(x, -e)
  b = scale(y, -e)
  c = scale(z, -e)
  mean = scale((a + b + c) / 3d0, e)
  variance = scale(((a - b)**2 + (b - c)**2 + (c - a)**2) / 9d0, 2 * e)
end subroutine mean_and_variance
