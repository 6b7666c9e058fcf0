# gRPC and Protocol Buffers from the system. Looked up file by file: Ubuntu 22.04's gRPC has no CMake package.
find_package(Protobuf REQUIRED)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
find_library(GRPCPP grpc++ REQUIRED)
find_library(GRPCPP_REFLECTION grpc++_reflection REQUIRED)
find_library(GRPC grpc REQUIRED)
find_library(GPR gpr REQUIRED)
