! Opens files, and takes no for an answer.
! outcome: none
real(8) function attack(x)
  real(8), intent(in) :: x
  integer :: status
  open (unit=9, file="made", status="replace", iostat=status)
  if (status == 0) stop 1
  open (unit=9, file="/etc/passwd", status="old", action="read", iostat=status)
  if (status == 0) stop 2
  attack = x + 1
end function
