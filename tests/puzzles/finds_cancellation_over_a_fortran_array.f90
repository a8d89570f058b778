! options: --range a=1e6:1.000001e6
! expect: naive inaccuracy line 7 above 1e-3 operation fsub
! silent: stable
real(8) function naive(a)
  implicit none
  real(8), intent(in) :: a(4)
  naive = sum(a * a) - sum(a)**2 / 4
end function

real(8) function stable(a)
  implicit none
  real(8), intent(in) :: a(4)
  integer :: i
  stable = 0
  do i = 2, 4
    stable = stable + sum((a(i) - a(1:i-1))**2)
  end do
  stable = stable / 4
end function
