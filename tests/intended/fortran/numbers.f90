! Constants of the rounding and the reduction, used by the other files.
module numbers
  implicit none
  integer, parameter :: dp = kind(1.0d0), sp = kind(1.0)
  real(dp), parameter :: round_magic = 1.5_dp / epsilon(1.0_dp)
  real(dp), parameter :: splitter = 2.0_dp**27 + 1.0_dp
  ! not parameters: they can be exchanged for another reduction
  real(dp), save :: log2e = 1.4426950408889634_dp
  real(dp), save :: ln2_parts(2) = [0.6931471803691238_dp, 1.9082149292705877e-10_dp]
  real(dp), save :: fixed_shift = 1.5_dp * 2.0_dp**36
contains
  ! x clamped to +-most, and 0 if its magnitude is below least
  pure real(dp) function in_range(x, least, most)
    real(dp), intent(in) :: x, least, most
    in_range = x
    if (abs(x) < least) in_range = 0.0_dp
    if (abs(x) > most) in_range = sign(most, x)
  end function in_range
end module numbers
