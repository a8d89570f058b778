! Stops the program.
! outcome: found
! finding: exception
real(8) function attack(x)
  real(8), intent(in) :: x
  if (x > 10) stop 3
  attack = x + 1
end function
