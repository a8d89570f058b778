! expect: naive inaccuracy line 8 above 0.9 operation fadd|fsub output rest
! silent: stable
subroutine naive(x, power, rest)
  implicit none
  real(4), intent(in) :: x
  real(4), intent(out) :: power, rest
  power = exp(x)
  rest = power - 1.0
end subroutine

subroutine stable(x, power, rest)
  implicit none
  real(4), intent(in) :: x
  real(4), intent(out) :: power, rest
  power = exp(x)
  rest = 2 * exp(x / 2) * sinh(x / 2)
end subroutine
