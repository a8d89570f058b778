! The variance of a scalar Kalman filter.
module filters
  implicit none
  type filter
    real(8) :: variance = 1, noise = 1
  end type
contains
  subroutine update(f)
    type(filter), intent(inout) :: f
    real(8) :: gain
    gain = f%variance / (f%variance + f%noise)
    f%variance = (1 - gain) * f%variance ! FAULT
  end subroutine
end module
