! The series of x - sin(x), whose terms do not cancel.
! options: -f mean_anomaly --range angle=1e-7:0.4 --range scale=1:10
subroutine mean_anomaly(angle, scale, anomaly)
  implicit none
  real(8), intent(in) :: angle, scale
  real(8), intent(out) :: anomaly
  real(8) :: term, swept
  integer :: i
  term = angle * angle * angle / 6d0
  swept = 0d0
  do i = 4, 20, 2
    swept = swept + term
    term = -term * angle * angle / real(i * (i + 1), 8)
  end do
  anomaly = scale * swept
end subroutine mean_anomaly
