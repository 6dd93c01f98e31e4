/* Included besides in every source but lvm.c's main loop: each turn of a loop
 * and each goto burns fuel. */
static inline int fuel_turn(void) {
  fuel_burn(1);
  return 0;
}
#define while(...) while (fuel_turn(), (__VA_ARGS__))
#define for(...) for (__VA_ARGS__) if (fuel_turn()) {} else
#ifndef FUEL_NO_GOTO
#define goto for (;;) goto
#endif
