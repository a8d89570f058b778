# faultline_layer(NAME USES layer... VENDORS target...)
#
# A folder of src/ is a library, a namespace and a layer. Its sources are all .cpp files of the folder and of the folders
# in it, which hold the parts of one thing each; its headers are included as "NAME/header.h". A layer sees the headers of
# the layers it USES, and of those below them, and no others: each layer publishes its own include root, so an include
# that points up the list does not build.
function(faultline_layer name)
  cmake_parse_arguments(LAYER "" "" "USES;VENDORS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  # The layer's include root holds one link, to the layer's own folder.
  set(root ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${root}/${name} SYMBOLIC)
  set(lower "")
  foreach(layer ${LAYER_USES})
    list(APPEND lower faultline_${layer})
  endforeach()
  if(sources)
    add_library(faultline_${name} STATIC ${sources})
    target_include_directories(faultline_${name} PUBLIC ${root})
    target_link_libraries(faultline_${name} PUBLIC ${lower} PRIVATE ${LAYER_VENDORS})
    faultline_precompile(faultline_${name} "${LAYER_VENDORS}")
  else()
    add_library(faultline_${name} INTERFACE)
    target_include_directories(faultline_${name} INTERFACE ${root})
    target_link_libraries(faultline_${name} INTERFACE ${lower} ${LAYER_VENDORS})
  endif()
endfunction()

# What nearly every file includes, compiled once. It saves more than half a second a file, a third of the build. Files
# include what they use all the same: a build without it (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) must work. Nothing of
# ours, and of vendors LLVM and JSON in the layers that may use them alone: layering is not loosened.
set(FAULTLINE_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <cstring> <fmt/format.h> <functional> <limits> <map>
    <memory> <optional> <set> <span> <string> <string_view> <variant> <vector>)
set(FAULTLINE_PRECOMPILED_JSON ${FAULTLINE_PRECOMPILED} <nlohmann/json.hpp>)
set(FAULTLINE_PRECOMPILED_LLVM ${FAULTLINE_PRECOMPILED} <llvm/IR/DebugInfoMetadata.h> <llvm/IR/IRBuilder.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)

# The first target of each sort compiles the headers, the others use them again.
function(faultline_precompile target vendors)
  set(sort plain)
  set(headers ${FAULTLINE_PRECOMPILED})
  if("nlohmann_json::nlohmann_json" IN_LIST vendors)
    set(sort json)
    set(headers ${FAULTLINE_PRECOMPILED_JSON})
  endif()
  if("vendor_llvm" IN_LIST vendors)
    set(sort llvm)
    set(headers ${FAULTLINE_PRECOMPILED_LLVM})
  endif()
  get_property(first GLOBAL PROPERTY faultline_precompiled_${sort})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${headers})
    set_property(GLOBAL PROPERTY faultline_precompiled_${sort} ${target})
  endif()
endfunction()
