! The sine of a wave number times a distance, thousands of millions of turns out.
! options: -f standing_wave --range k=1e5:1e8 --range r=1e4:1e7
module waves
  implicit none
  type :: wave
    real(8) :: number, level
  end type wave
contains
  real(8) function phase_at(w, r)
    type(wave), intent(in) :: w
    real(8), intent(in) :: r
    phase_at = w%number * r
  end function phase_at
end module waves

real(8) function standing_wave(k, r)
  use waves
  implicit none
  real(8), intent(in) :: k, r
  type(wave) :: w
  real(8) :: phase, amplitude
  w = wave(k, 2d0)
  phase = phase_at(w, r)
  amplitude = sin(phase) ! FAULT: large-argument
  standing_wave = w%level + amplitude
end function standing_wave
