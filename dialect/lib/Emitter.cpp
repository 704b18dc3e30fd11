#include "Mind/MindDialect.h"
