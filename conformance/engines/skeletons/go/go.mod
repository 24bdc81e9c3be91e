module example.org/my-canasta-harness

go 1.21
