! A balance whose interest is paid into it.
module accounts
  implicit none
  type account
    real(8) :: balance = 0
  end type
contains
  subroutine pay_interest(a, rate)
    type(account), intent(inout) :: a
    real(8), intent(in) :: rate
    a%balance = a%balance * 2 * exp(rate / 2) * sinh(rate / 2)
  end subroutine
end module
