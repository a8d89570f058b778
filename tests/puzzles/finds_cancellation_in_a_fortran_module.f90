! expect: naive inaccuracy line 10 above 0.9 operation fsub
! silent: stable
module waves
  implicit none
  real(8), parameter :: one = 1d0
contains
  real(8) function naive(x)
    real(8), intent(in) :: x
    real(8) :: cosine; cosine = cos(x)
    naive = one - cosine
  end function

  real(8) function stable(x)
    real(8), intent(in) :: x
    stable = 2 * sin(x / 2)**2
  end function
end module
