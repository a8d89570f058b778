! Dekker's product gives the rounding of the phase, which is turned back.
! options: -f standing_wave --range k=1e5:1e8 --range r=1e4:1e7
module waves
  implicit none
contains
  pure subroutine split(x, high, low)
    real(8), intent(in) :: x
    real(8), intent(out) :: high, low
    real(8) :: scaled
    scaled = 134217729d0 * x
    high = scaled - (scaled - x)
    low = x - high
  end subroutine split

  pure real(8) function rounding_of(product, a, b)
    real(8), intent(in) :: product, a, b
    real(8) :: a1, a2, b1, b2
    call split(a, a1, a2)
    call split(b, b1, b2)
    rounding_of = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
  end function rounding_of
end module waves

real(8) function standing_wave(k, r)
  use waves
  implicit none
  real(8), intent(in) :: k, r
  real(8) :: phase, rest, amplitude
  phase = k * r
  rest = rounding_of(phase, k, r)
  amplitude = sin(phase) * cos(rest) + cos(phase) * sin(rest)
  standing_wave = 2d0 + amplitude
end function standing_wave
