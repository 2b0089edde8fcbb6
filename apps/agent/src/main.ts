#!/usr/bin/env node
console.error("toolcontract-agent: not built yet");
process.exitCode = 1;
