! By how many pixels a perspective image is wider than an orthographic one, at an angle from the axis of the camera.
pure function projection_gap(angle) result(gap)
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), intent(in) :: angle
  real(dp), parameter :: focal = 2400.0_dp, edge = 1.0_dp
  real(dp) :: seen, gap

  seen = min(max(angle, -edge), edge)
  gap = focal * (tan(seen) - sin(seen)) ! bug: cancellation
end function projection_gap
