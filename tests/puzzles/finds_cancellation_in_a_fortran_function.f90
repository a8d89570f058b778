! expect: naive inaccuracy line 9 above 0.9 operation fsub
! silent: stable
real(8) function naive(x)
  implicit none
  real(8), intent(in) :: x
  real(8) :: big, small
  big = sqrt(x + 1d0)
  small = sqrt(x)
  naive = big - small
end function

real(8) function stable(x)
  implicit none
  real(8), intent(in) :: x
  stable = 1d0 / (sqrt(x + 1d0) + sqrt(x))
end function
