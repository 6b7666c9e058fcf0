# cmake -DFOLDER=web -DOUT=web_files.cpp -P embed_files.cmake: every file of the folder as an array in C++
# (src/service/web_files.hpp).
file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT files)
set(arrays "")
set(entries "")
set(number 0)
foreach(file ${files})
  if(file MATCHES "\\.html$")
    set(type "text/html; charset=utf-8")
  elseif(file MATCHES "\\.css$")
    set(type "text/css; charset=utf-8")
  elseif(file MATCHES "\\.js$")
    set(type "text/javascript; charset=utf-8")
  elseif(file MATCHES "\\.svg$")
    set(type "image/svg+xml")
  else()
    message(FATAL_ERROR "${FOLDER}/${file}: which type is that?")
  endif()
  file(READ "${FOLDER}/${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${number}[] = {\n${bytes}};\n")
  string(APPEND entries "    {\"/${file}\", \"${type}\", {kFile${number}, ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/embed_files.cmake.
#include \"service/web_files.hpp\"

namespace proofline::service {
namespace {
${arrays}
constexpr WebFile kFiles[] = {
${entries}};
}  // namespace

std::span<const WebFile> web_files() {
  return kFiles;
}

}  // namespace proofline::service
")
