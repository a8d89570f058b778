! A balance whose interest is paid into it.
module accounts
  implicit none
  type account
    real(8) :: balance = 0, rate = 0
  end type
contains
  subroutine pay_interest(a, years)
    type(account), intent(inout) :: a
    real(8), intent(in) :: years
    if (.not. abs(a%rate * years) < 100) return ! a mistake of the caller
    a%balance = a%balance * 2 * exp(a%rate * years / 2) * sinh(a%rate * years / 2)
  end subroutine
end module
