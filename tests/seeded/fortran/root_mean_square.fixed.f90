! Scaled by the largest.
! options: --range a=1e10:1e25
real(4) function root_mean_square(a)
  implicit none
  real(4), intent(in) :: a(8)
  real(4) :: total, largest
  integer :: i
  largest = 0.0
  do i = 1, 8
    largest = max(largest, a(i))
  end do
  total = 0.0
  do i = 1, 8
    total = total + (a(i) / largest)**2
  end do
  root_mean_square = largest * sqrt(total / 8.0)
end function root_mean_square
