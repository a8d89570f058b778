# Everything here is a Debian 12 package; scripts/install-deps installs them.
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_path(TOML_INCLUDE toml++/toml.h REQUIRED)
find_package(Threads REQUIRED)
find_package(SQLite3 3.37 REQUIRED)
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
find_library(Z3_LIBRARY z3 REQUIRED)
find_library(CVC5_LIBRARY cvc5 REQUIRED)
find_library(CADICAL_LIBRARY cadical REQUIRED)
find_library(FLINT_LIBRARY flint REQUIRED)
find_library(ARB_LIBRARY flint-arb REQUIRED)
find_library(SECCOMP_LIBRARY seccomp REQUIRED)
find_library(CLANG_LIBRARY clang-19 PATHS ${LLVM_LIBRARY_DIRS} REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)

# LLVM is one shared library; only program/, instrument/ and exec/ may link it (see Layers.cmake).
add_library(vendor_llvm INTERFACE)
target_include_directories(vendor_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_directories(vendor_llvm INTERFACE ${LLVM_LIBRARY_DIRS})
target_link_libraries(vendor_llvm INTERFACE LLVM-19)
# Otherwise every file that includes an LLVM header needs the library, also those of program/ in the compiler wrapper.
target_compile_definitions(vendor_llvm INTERFACE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1)

# Parses C and C++; only harness/ may include its headers.
add_library(vendor_clang INTERFACE)
target_include_directories(vendor_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(vendor_clang INTERFACE ${CLANG_LIBRARY})

add_library(vendor_mpfr INTERFACE)
target_link_libraries(vendor_mpfr INTERFACE ${MPFR_LIBRARY} ${GMP_LIBRARY})

# Exact polynomials and ball arithmetic; only numeric/ball and its neighbours, ops/formulas,
# certificate/, oracle/meaning, fix/, and the implementation of polynomials in solve/real may include their headers.
add_library(vendor_arb INTERFACE)
target_link_libraries(vendor_arb INTERFACE ${ARB_LIBRARY} ${FLINT_LIBRARY} vendor_mpfr)

# The system-call filter; only exec/system_calls.cpp may include its header.
add_library(vendor_seccomp INTERFACE)
target_link_libraries(vendor_seccomp INTERFACE ${SECCOMP_LIBRARY})

# Compression; only program/capture/section.cpp may include its header.
add_library(vendor_zstd INTERFACE)
target_link_libraries(vendor_zstd INTERFACE ${ZSTD_LIBRARY})

# The store of campaigns; only campaign/store/database.cpp may include its header.
add_library(vendor_sqlite INTERFACE)
target_link_libraries(vendor_sqlite INTERFACE SQLite::SQLite3)

# Headers only; only cli/configuration_file.h may include them.
add_library(vendor_toml INTERFACE)
target_include_directories(vendor_toml SYSTEM INTERFACE ${TOML_INCLUDE})

# Solvers; only the file of solve/ that is named after each may include its headers.
add_library(vendor_z3 INTERFACE)
target_link_libraries(vendor_z3 INTERFACE ${Z3_LIBRARY})
add_library(vendor_cvc5 INTERFACE)
target_link_libraries(vendor_cvc5 INTERFACE ${CVC5_LIBRARY})
add_library(vendor_cadical INTERFACE)
target_link_libraries(vendor_cadical INTERFACE ${CADICAL_LIBRARY})
