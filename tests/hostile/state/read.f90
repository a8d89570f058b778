! Reads from standard input, where there is nothing.
! outcome: crashed
! finding: crash
real(8) function attack(x)
  real(8), intent(in) :: x
  real(8) :: y
  read (5, *) y
  attack = x + 1
end function
