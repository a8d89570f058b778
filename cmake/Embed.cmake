# faultline_embed(LAYER FUNCTION FOLDER ENDING)
#
# Embeds the files of FOLDER with this ending in the layer's library, so that an installed faultline has them. The layer
# declares FUNCTION in one of its headers: const std::map<std::string, std::string>& faultline::LAYER::FUNCTION(), by
# file name.
function(faultline_embed layer function folder ending)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.${ending})
  faultline_embed_files(${layer} ${function} ${files})
endfunction()

# faultline_embed_files(LAYER FUNCTION FILE...): the same for the given files.
function(faultline_embed_files layer function)
  set(entries "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    file(READ ${file} content)
    string(APPEND entries "      {\"${name}\", R\"embedded(${content})embedded\"},\n")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/embedded/${layer}_${function}.cpp)
  set(text "// Made by cmake/Embed.cmake.\n#include <map>\n#include <string>\n\nnamespace faultline::${layer} {\n\n")
  string(APPEND text "const std::map<std::string, std::string>& ${function}() {\n")
  string(APPEND text "  static const std::map<std::string, std::string> files = {\n${entries}  };\n  return files;\n}\n\n")
  string(APPEND text "} // namespace faultline::${layer}\n")
  set(old "")
  if(EXISTS ${source})
    file(READ ${source} old)
  endif()
  if(NOT old STREQUAL text) # unchanged files are not compiled again
    file(WRITE ${source} "${text}")
  endif()
  target_sources(faultline_${layer} PRIVATE ${source})
endfunction()
