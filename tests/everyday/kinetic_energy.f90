! Relativistic kinetic energy in joules of a mass in kg at a speed in m/s; -1 for what is too close to that of light.
module relativity
  implicit none
  real(8), parameter :: light = 299792458d0
contains
  real(8) function kinetic_energy(mass, speed) result(energy)
    real(8), intent(in) :: mass, speed
    real(8) :: beta, gained

    energy = -1d0
    if (abs(speed) > 2.9d8) return
    beta = speed / light
    gained = 1d0 / sqrt(1d0 - beta**2) - 1d0 ! bug: cancellation|absorption
    energy = mass * light**2 * gained
  end function kinetic_energy
end module relativity
