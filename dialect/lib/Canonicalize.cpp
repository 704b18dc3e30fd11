#include "Mind/Passes.h"

#include "Mind/MindDialect.h"
