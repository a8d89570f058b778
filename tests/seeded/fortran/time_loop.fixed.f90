! The time from the number of the step.
! options: --range dt=0.001:0.1 --threshold 1e-4 --evals 60
real(4) function time_loop(dt)
  implicit none
  real(4), intent(in) :: dt
  integer, parameter :: steps = 25000
  real(4) :: time, height
  integer :: step
  time = 0.0
  do step = 1, steps
    time = real(step) * dt
  end do
  height = 0.5 * time
  time_loop = height
end function time_loop
