! The root mean square of large single-precision numbers: their squares overflow.
! options: --range a=1e10:1e25
real(4) function root_mean_square(a)
  implicit none
  real(4), intent(in) :: a(8)
  real(4) :: total
  integer :: i
  total = 0.0
  do i = 1, 8
    total = total + a(i) * a(i) ! FAULT: intermediate-overflow
  end do
  root_mean_square = sqrt(total / 8.0)
end function root_mean_square
