! Three formulas that are right on paper.
!
! W. Kahan: Miscalculating Area and Angles of a Needle-like Triangle (2014): in Heron's formula, s - a cancels when the
! triangle is a needle, a close to b + c, and magnifies the rounding of s; (9, 4.53, 4.53) is harmless, (1e8, 1e8, 1e-8)
! is not. What is no triangle at all asks for the square root of a negative number.
!
! T. Chan, G. Golub, R. LeVeque: Algorithms for Computing the Sample Variance (1983): the mean of the squares minus the
! square of the mean loses every digit, and may be negative, when the values are close together and far from 0.

real(8) function heron(a, b, c)
  implicit none
  real(8), intent(in) :: a, b, c
  real(8) :: s
  s = (a + b + c) / 2d0
  heron = sqrt(s * (s - a) * (s - b) * (s - c))
end function heron

! 1 - cos(x), which is 2 sin(x/2)**2, and 0 in this form for every |x| below 1e-8.
real(8) function versine(x)
  implicit none
  real(8), intent(in) :: x
  versine = 1d0 - cos(x)
end function versine

subroutine mean_and_variance(x, y, z, mean, variance)
  implicit none
  real(8), intent(in) :: x, y, z
  real(8), intent(out) :: mean, variance
  mean = (x + y + z) / 3d0
  variance = (x*x + y*y + z*z) / 3d0 - mean*mean
end subroutine mean_and_variance
