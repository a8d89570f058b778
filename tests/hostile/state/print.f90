! Prints a warning by way of a string.
! outcome: none
real(8) function attack(x)
  real(8), intent(in) :: x
  character(72) :: text
  write (text, "(es12.4)") x
  write (6, "(a)") text
  print *, "warning"
  attack = x + 1
end function
