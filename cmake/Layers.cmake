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
  else()
    add_library(faultline_${name} INTERFACE)
    target_include_directories(faultline_${name} INTERFACE ${root})
    target_link_libraries(faultline_${name} INTERFACE ${lower} ${LAYER_VENDORS})
  endif()
endfunction()
