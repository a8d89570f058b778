! Writes to a unit that is a file.
! outcome: crashed
! finding: crash: called abort
real(8) function attack(x)
  real(8), intent(in) :: x
  write (4, *) x
  attack = x + 1
end function
