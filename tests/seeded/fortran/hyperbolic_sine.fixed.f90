! The library's function.
! options: -f hyperbolic_sine --range x=1e-14:1
real(8) function hyperbolic_sine(x)
  implicit none
  real(8), intent(in) :: x
  hyperbolic_sine = sinh(x)
end function hyperbolic_sine
