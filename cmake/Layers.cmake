# faultline_layer(NAME [COLD] USES layer... VENDORS target...)
#
# A folder of src/ is a library, a namespace and a layer. Its sources are all .cpp files of the folder and its
# subfolders, each of which holds the parts of one thing. Its headers are included as "NAME/header.h". A layer can
# include the headers of the layers it USES, and of those below them, and no others: each layer publishes its own
# include root, so an include that points up the list does not build. COLD layers run once per function or less often, or
# spend their time in libraries and lower layers: they are optimised less, so that they build sooner.
function(faultline_layer name)
  cmake_parse_arguments(LAYER "COLD" "" "USES;VENDORS" ${ARGN})
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
    faultline_precompile(${name} "${LAYER_VENDORS}")
    faultline_unity(${name} "${sources}")
    if(LAYER_COLD)
      target_compile_options(faultline_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    endif()
  else()
    add_library(faultline_${name} INTERFACE)
    target_include_directories(faultline_${name} INTERFACE ${root})
    target_link_libraries(faultline_${name} INTERFACE ${lower} ${LAYER_VENDORS})
  endif()
endfunction()

# The precompiled header with what nearly every file includes: parsing takes a third of the build. Files still include what
# they use, and a build without it (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) must work. It has headers of vendors that the
# layer may use, and of layers below it, so layering stays strict. Layers with the same set share one.
set(FAULTLINE_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <cstring> <fmt/format.h> <functional> <limits> <map>
    <memory> <optional> <set> <span> <string> <string_view> <variant> <vector>)
set(FAULTLINE_PRECOMPILED_JSON ${FAULTLINE_PRECOMPILED} <nlohmann/json.hpp>)
set(FAULTLINE_PRECOMPILED_LLVM ${FAULTLINE_PRECOMPILED} <llvm/IR/DebugInfoMetadata.h> <llvm/IR/IRBuilder.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
set(FAULTLINE_PRECOMPILED_SEARCH ${FAULTLINE_PRECOMPILED} "exec/session.h" "numeric/bigfloat.h" "ops/table.h" "tape/tape.h")
set(FAULTLINE_PRECOMPILED_MODEL ${FAULTLINE_PRECOMPILED_JSON} "model/json/finding_json.h" "model/settings/table.h"
    "base/error.h" "numeric/decimal.h")
set(FAULTLINE_PRECOMPILED_JUDGE ${FAULTLINE_PRECOMPILED_SEARCH} "model/message.h" "search/space.h")
set(FAULTLINE_PRECOMPILED_HUNT ${FAULTLINE_PRECOMPILED_MODEL} "exec/session.h" "model/message.h" "hunt/hunt.h" "hunt/targets.h")

# The first target of each sort compiles the header, and the others reuse it.
function(faultline_precompile layer vendors)
  set(sort PLAIN)
  if("vendor_llvm" IN_LIST vendors)
    set(sort LLVM)
  elseif(layer STREQUAL "model")
    set(sort JSON)
  elseif(layer MATCHES "^(goal|constraint|solve|search|oracle|explain)$")
    set(sort SEARCH)
  elseif(layer STREQUAL "report")
    set(sort MODEL)
  elseif(layer STREQUAL "judge")
    set(sort JUDGE)
  elseif(layer MATCHES "^(hunt|campaign|cli)$")
    set(sort HUNT)
  endif()
  get_property(first GLOBAL PROPERTY faultline_precompiled_${sort})
  if(first)
    target_precompile_headers(faultline_${layer} REUSE_FROM ${first})
  else()
    set(headers ${FAULTLINE_PRECOMPILED})
    if(NOT sort STREQUAL PLAIN)
      set(headers ${FAULTLINE_PRECOMPILED_${sort}})
    endif()
    list(TRANSFORM headers REPLACE "^([^<].*)$" "\"\\1\"")
    target_precompile_headers(faultline_${layer} PRIVATE ${headers})
    set_property(GLOBAL PROPERTY faultline_precompiled_${sort} faultline_${layer})
  endif()
endfunction()

# Compiles the files of a folder in groups of four, which saves a quarter of the build: every file compiles the templates
# and inline functions that it uses again. Groups are small, as a changed file compiles its whole group. Local names
# differ within a folder. faultline-cc takes single files of two layers, which stay single. Editors that read
# compile_commands.json need -DFAULTLINE_UNITY=OFF.
option(FAULTLINE_UNITY "compile files in groups: the whole builds sooner, a changed file later" ON)
function(faultline_unity layer sources)
  if(NOT FAULTLINE_UNITY)
    return()
  endif()
  set_target_properties(faultline_${layer} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    # Other files of these folders include <elf.h>, whose macros have the names of LLVM's constants.
    if(folder MATCHES "/(numeric|program/capture|program/compiling)$" OR source MATCHES "/exec/linked_objects.cpp$")
      continue()
    endif()
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR members_${folder} "0${members_${folder}} + 1")
    math(EXPR group "(${members_${folder}} - 1) / 4")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()
