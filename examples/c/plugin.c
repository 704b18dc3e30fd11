/* Opens a library with a compiled module while it runs, and calls it on numbers from standard input.
 *
 *     plugin LIBRARY
 *
 * The library is that of digit.h; which file it is in is known only now.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "digit.h"

typedef int64_t function(const float *image, float *logits);

int main(int argc, char **argv) {
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    function *run = library ? (function *)dlsym(library, "digit") : NULL;
    if (!run) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: plugin LIBRARY");
        return 2;
    }
    float image[DIGIT_IMAGE_SIZE], logits[DIGIT_OUT0_SIZE];
    for (int i = 0; i < DIGIT_IMAGE_SIZE; ++i) {
        if (scanf("%f", &image[i]) != 1) {
            fprintf(stderr, "expected %d numbers, found %d\n", DIGIT_IMAGE_SIZE, i);
            return 2;
        }
    }
    int64_t status = run(image, logits);
    for (int n = 0; status == DIGIT_OK && n < DIGIT_OUT0_SIZE; ++n)
        printf("%d %.9g\n", n, logits[n]); /* 9 digits say which float it is */
    dlclose(library);
    return status == DIGIT_OK ? 0 : 3;
}
