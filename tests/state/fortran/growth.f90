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
    a%balance = a%balance * (exp(a%rate * years) - 1) ! FAULT
  end subroutine
end module
