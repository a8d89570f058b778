! Has a shell make a file.
! outcome: none|crashed|found
real(8) function attack(x)
  real(8), intent(in) :: x
  if (x > 5) call execute_command_line("touch made")
  attack = x + 1
end function
