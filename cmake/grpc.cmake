# gRPC and Protocol Buffers from the system; gRPC by pkg-config, because Ubuntu 22.04's has no CMake package.
find_package(Protobuf REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GRPCPP REQUIRED IMPORTED_TARGET grpc++)
find_library(GRPCPP_REFLECTION grpc++_reflection REQUIRED)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
