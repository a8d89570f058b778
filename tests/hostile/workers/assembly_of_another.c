// Patches what lies far behind the code of every function of the program when it is linked.
// outcome: unknown|none|refused|interrupted|found

asm(".text\n.reloc 0x7ffffff0, R_X86_64_64, attack\n");

double attack(double x) { return x + 1; }
