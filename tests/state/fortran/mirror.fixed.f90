! The depth of a mirror at a distance from its axis. The curvature is in a type of its own.
module mirrors
  implicit none
  type shape
    real(8) :: radius(2) = 1
  end type
  type mirror
    type(shape) :: form
    real(8) :: depth = 0
  end type
contains
  subroutine move_to(m, distance)
    type(mirror), intent(inout) :: m
    real(8), intent(in) :: distance
    real(8) :: r
    r = abs(m%form%radius(1)) + abs(distance)
    m%depth = distance * distance / (r + sqrt((r - distance) * (r + distance)))
  end subroutine
end module
