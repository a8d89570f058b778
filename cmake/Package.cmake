# The Debian package (`make deb`): what `cmake --install` installs under /usr, with the packages it runs with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME faultline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds the inputs on which numerical code breaks")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Faultline finds inputs on which C, C++ and Fortran code returns wrong numbers,\noverflows, produces NaN or takes the wrong branch, confirms them in high\nprecision, and names the line at fault. It also proves bounds of rounding errors.")
set(CPACK_PACKAGE_CONTACT "The Faultline developers <faultline@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Dependencies on libraries are detected. Programs that are started at run time are listed here: the compilers, objcopy
# for captured builds, Python for faultline bench.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, flang-19, binutils, python3 (>= 3.11)")
include(CPack)
