import v8 from 'node:v8'

// Counting keeps V8 from optimizing. The runner imports this first where nothing is to be counted.
v8.stopCoverage()
