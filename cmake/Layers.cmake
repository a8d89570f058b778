# faultline_layer(NAME USES layer... VENDORS target...)
#
# A folder of src/ is a library, a namespace and a layer. Its sources are all .cpp files of the folder and its
# subfolders, each of which holds the parts of one thing. Its headers are included as "NAME/header.h". A layer can
# include the headers of the layers it USES, and of those below them, and no others: each layer publishes its own
# include root, so an include that points up the list does not build.
function(faultline_layer name)
  cmake_parse_arguments(LAYER "" "" "USES;VENDORS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  # The layer's include root contains one link to the layer's folder.
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

# The precompiled header with what nearly every file includes. It saves more than half a second per file, a third of the
# build. Files still include what they use: a build without it (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) must work. It has
# none of our headers, and those of LLVM and JSON only in the layers that may use them, so layering stays strict.
set(FAULTLINE_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <cstring> <fmt/format.h> <functional> <limits> <map>
    <memory> <optional> <set> <span> <string> <string_view> <variant> <vector>)
set(FAULTLINE_PRECOMPILED_JSON ${FAULTLINE_PRECOMPILED} <nlohmann/json.hpp>)
set(FAULTLINE_PRECOMPILED_LLVM ${FAULTLINE_PRECOMPILED} <llvm/IR/DebugInfoMetadata.h> <llvm/IR/IRBuilder.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)

# The first target of each sort compiles the header, and the others reuse it.
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
