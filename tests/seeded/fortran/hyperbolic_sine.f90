! The hyperbolic sine by its definition: next to 0 the two exponentials are nearly equal.
! options: -f hyperbolic_sine --range x=1e-14:1
module hyperbolic
  implicit none
contains
  pure real(8) function half_difference(a, b)
    real(8), intent(in) :: a, b
    half_difference = (a - b) / 2d0 ! FAULT: cancellation
  end function half_difference
end module hyperbolic

real(8) function hyperbolic_sine(x)
  use hyperbolic
  implicit none
  real(8), intent(in) :: x
  real(8) :: rising, falling
  rising = exp(x)
  falling = exp(-x)
  hyperbolic_sine = half_difference(rising, falling)
end function hyperbolic_sine
