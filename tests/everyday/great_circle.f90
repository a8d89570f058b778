! Distance in km between two places on a sphere by the law of cosines, from degrees.
real(8) function great_circle(lat1, lon1, lat2, lon2)
  implicit none
  real(8), intent(in) :: lat1, lon1, lat2, lon2
  real(8), parameter :: earth = 6371.0088d0, degree = 0.017453292519943295d0
  real(8) :: phi1, phi2, lambda, cosine

  great_circle = 0d0
  if (abs(lat1) > 90d0 .or. abs(lat2) > 90d0) return
  if (abs(lon1) > 180d0 .or. abs(lon2) > 180d0) return
  phi1 = lat1 * degree
  phi2 = lat2 * degree
  lambda = (lon2 - lon1) * degree
  cosine = sin(phi1) * sin(phi2) + cos(phi1) * cos(phi2) * cos(lambda)
  cosine = max(-1d0, min(1d0, cosine))
  great_circle = earth * acos(cosine) ! bug: sensitive-argument
end function great_circle
