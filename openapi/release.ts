// Run when a version of the API goes out: what is published now is what later changes are judged by.
import { copyFileSync, writeFileSync } from 'node:fs';

const file = (name: string) => new URL(name, import.meta.url);

copyFileSync(file('openapi.json'), file('released.json'));
writeFileSync(file('accepted-changes.json'), '[]\n');
