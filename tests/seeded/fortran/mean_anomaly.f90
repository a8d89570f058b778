! Kepler's equation for a parabolic orbit: x - sin(x) next to 0.
! options: -f mean_anomaly --range angle=1e-7:0.4 --range scale=1:10
module orbits
  implicit none
  real(8), parameter :: eccentricity = 1d0
contains
  elemental real(8) function correction(angle)
    real(8), intent(in) :: angle
    correction = eccentricity * sin(angle)
  end function correction
end module orbits

subroutine mean_anomaly(angle, scale, anomaly)
  use orbits
  implicit none
  real(8), intent(in) :: angle, scale
  real(8), intent(out) :: anomaly
  real(8) :: swept
  swept = angle - correction(angle) ! FAULT: cancellation
  anomaly = scale * swept
end subroutine mean_anomaly
