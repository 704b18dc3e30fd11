/* Reads a digit drawn in text from standard input and says which one it is.
 *
 * Linked with the module that export.py writes; README.md has the commands. No Python runs here.
 */
#include <stdio.h>
#include <string.h>

#include "digit.h"

static const char SHADES[] = ".:-=+*#%@"; /* from 0 to 1 */

/* 8 lines of 8 characters as 64 numbers; 0 if the text is anything else. */
static int read_image(FILE *file, float image[DIGIT_IMAGE_SIZE]) {
    char line[100];
    for (int i = 0; i < 8; ++i) {
        if (!fgets(line, sizeof line, file) || strspn(line, SHADES) != 8)
            return 0;
        for (int j = 0; j < 8; ++j)
            image[8 * i + j] = (float)(strchr(SHADES, line[j]) - SHADES) / 8;
    }
    return 1;
}

int main(void) {
    float image[DIGIT_IMAGE_SIZE], logits[DIGIT_OUT0_SIZE];
    if (!read_image(stdin, image)) {
        fprintf(stderr, "expected 8 lines of 8 characters, each one of %s\n", SHADES);
        return 2;
    }
    if (digit(image, logits) != DIGIT_OK) /* this module has no operation that can fail */
        return 3;
    int best = 0;
    for (int n = 1; n < DIGIT_OUT0_SIZE; ++n)
        best = logits[n] > logits[best] ? n : best;
    printf("%d\n", best);
    return 0;
}
